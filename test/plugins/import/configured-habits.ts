/** Configurations as people write them: each habit is one step of its own. */
import { countedData, innerSecrets, nestedModules, oddNames, values } from "./configured-values.ts";
import { type Draw, drawing, hcl, pick } from "./drawing.ts";

/** Returns blocks, and adds files of the modules that they call. */
export type Habit = (draw: Draw, folder: string, files: Record<string, string>) => string;

/** Nested blocks none, one or many times, timeouts, and sets that a provider returns in another order. */
const blocks: Habit = (draw) => `
resource "fixture_blocks" "many" {
  for_each = { none = [], one = ["a"], two = ["a", "b"] }
  name     = "b-\${each.key}"
  dynamic "rule" {
    for_each = concat(each.value, ["z"])
    content {
      port     = ${80 + draw(99)} + rule.key
      protocol = rule.value
      dynamic "target" {
        for_each = each.value
        content { host = "h-\${target.value}" }
      }
    }
  }
  dynamic "single" {
    for_each = slice(each.value, 0, min(1, length(each.value)))
    content { name = single.value }
  }
  dynamic "label" {
    for_each = toset(each.value)
    content {
      key   = label.value
      value = length(each.value) == 1 ? null : "x"
    }
  }
}
resource "fixture_timeouts" "t" {
  for_each = toset(["x", "y"])
  name     = "t-\${each.key}"
  timeouts {
    create = "1m"
    delete = each.key == "x" ? "2m" : null
  }
}
resource "fixture_sdk" "s" {
  count   = ${1 + draw(3)}
  name    = "sdk-\${count.index}"
  content = "c"
  payload = "payload"
  locale  = "EN"
  members = ["b", "a", "c"]
  rule { port = 1 }
  rule {
    port = 2
    text = "t"
  }
}
resource "fixture_choice" "c" {
  for_each = { a = 1, b = 2, c = 3 }
  title    = "t-\${each.key}"
  size     = each.value
  public   = ${pick(draw, ["true", "false", "null"])}
  disk { size = each.value }
  disk {}
}
resource "fixture_owned_names" "o" {
  name        = "owned"
  constructor = "c"
  __proto__   = "p"
  labels      = { "__proto__" = "p", constructor = "c" }
  object      = { to_string = "1", constructor = "2", "__proto__" = "3", has_own_property = "4", value_of = "5", then = "6" }
  is_prototype_of {
    constructor = "q"
    value       = "v"
  }
}
`;

/** Equal values of several resources, rules of the life of a resource, and many instances. */
const equals: Habit = (draw) => `
resource "fixture_thing" "first" {
  name = "equal-name"
  size = 10
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = true
    ignore_changes        = [tags, size]
  }
}
resource "fixture_thing" "second" {
  name = "equal-name"
  lifecycle { ignore_changes = all }
}
resource "fixture_thing" "third" {
  name = fixture_thing.first.name
  tags = { of = fixture_thing.second.name, id = fixture_thing.second.id, in = "x/\${fixture_thing.first.name}/y" }
  lifecycle {
    postcondition {
      condition     = self.size == null
      error_message = "It has a size."
    }
  }
}
resource "terraform_data" "one" { input = "the-same-value" }
resource "terraform_data" "other" { input = "the-same-value" }
resource "fixture_thing" "of_data" {
  name = terraform_data.one.output
  tags = { other = terraform_data.other.output, id = terraform_data.one.id }
}
resource "fixture_thing" "many" {
  count = ${pick(draw, ["4", "4", "4", "40"])}
  name  = "equal-many"
  size  = count.index % 7
}
resource "fixture_thing" "of_many" {
  count = 4
  name  = fixture_thing.many[3 - count.index].name
  tags  = { id = fixture_thing.many[3 - count.index].id, team = "x" }
}
`;

/** Texts, names and lists that do not fit in a line. */
const long: Habit = (draw) => {
  const name = `a_name_of_${"many_".repeat(8 + draw(6))}columns`;
  const text = "A description as people write it, which goes on and on, ".repeat(1 + draw(3));
  return `
resource "fixture_thing" "${name}" {
  name = ${hcl(text)}
  tags = { "service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout-seconds" = "3600", "a.b/c" = "y" }
}
resource "fixture_thing" "of_long" {
  for_each = toset(["aaaaaaaaaaaa", "bbbbbbbbbbbbb", "ccccccccccccc"])
  name     = "\${fixture_thing.${name}.id}-\${each.key}"
}
resource "fixture_attributes" "long" {
  list_of_numbers = range(${20 + draw(60)})
  list_of_objects = [for n in range(${1 + draw(3)}) : { name = "n", count = n, on = true }]
  dynamic         = { ports = range(40), matrix = [[1, 2], [3, 4]] }
}
`;
};

const HABITS: readonly Habit[] = [nestedModules, countedData, innerSecrets, oddNames, values, blocks, equals, long];

/** Returns the blocks of one habit. Successive seeds have all of them. */
export function habitOf(seed: number, folder: string, files: Record<string, string>): string {
  return HABITS[seed % HABITS.length]?.(drawing(seed * 104_729 + 7), folder, files) ?? "";
}
