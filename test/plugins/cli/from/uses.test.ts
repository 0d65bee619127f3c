import { describe, expect, test } from "vitest";
import { wantedBy } from "../../../../plugins/cli/providers/from/read-folder.ts";
import { allUses, usesInHcl, usesInJson } from "../../../../plugins/cli/providers/from/uses.ts";

const HCL = `
# resource "aws_comment" "a" {}
// resource "aws_comment" "b" {}
/* resource "aws_comment" "c" {
} */
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws" # the cloud
      version = "~> 5.2, != 5.3.0"
      configuration_aliases = [aws.west, aws.east]
    }
    pg = { source = "registry.terraform.io/cyrilgdn/postgresql", version = "1.2.3" }
    "quoted" : { "source" : "example.com/acme/quoted" }
    old = "~> 2.0"
  }
  backend "s3" {
    bucket = "resource"
  }
}

provider "random" {}

locals {
  text = "resource \\"aws_string\\" \\"a\\" { \${join("}", ["{", "\\"\${var.a}"])} }"
  none = "$\${ not an expression"
  here = <<-EOT
    resource "aws_heredoc" "a" {
    "
      EOT in the midst
    EOT
  map = { for key, value in var.all : key => { resource = value } }
}

resource "aws_s3_bucket" "logs" {
  bucket = <<EOT
}
EOT
  tags = { Name = "a}" }
  dynamic "rule" {
    for_each = var.rules
    content { resource = rule.value }
  }
}
resource aws_s3_bucket "second" { provider = aws.west }
resource "postgresql_role" "owner" {
  provider = pg
  name = "x"
}
data "aws_region" "here" {}
ephemeral "random_password" "one" { length = 8 }
resource "terraform_data" "wait" {}
module "network" {
  source = "./network"
}
variable "constructor" { default = { resource = "no" } }
output "resource" { value = aws_s3_bucket.logs.id }
`;

describe("a configuration in HCL", () => {
  test("names its providers with their versions, and the types of its blocks alone", () => {
    expect(wantedBy(usesInHcl(HCL)).wanted).toEqual([
      { source: "hashicorp/aws@~> 5.2, != 5.3.0", names: ["aws_s3_bucket", "data.aws_region"] },
      { source: "hashicorp/old@~> 2.0", names: [] },
      { source: "cyrilgdn/postgresql@1.2.3", names: ["postgresql_role"] },
      { source: "example.com/acme/quoted", names: [] },
      { source: "hashicorp/random", names: ["ephemeral.random_password"] },
    ]);
  });

  test("says what has no equivalent", () => {
    expect(wantedBy(usesInHcl(HCL)).notes).toEqual([
      "left out terraform_data: it is built into Terraform and needs no provider.",
      expect.stringContaining('left out module "network": run the command for its folder'),
    ]);
  });

  test.each([
    ['resource "aws_a" "b" { x = "', ["aws_a"]],
    ['resource "aws_a" "b" {\n  x = <<EOT\nno end', ["aws_a"]],
    ['}}} ) resource "aws_a" "b" {}', ["aws_a"]],
    ['resource "aws_a" "b" {\r\n  x = 1\r\n}\r\nresource "aws_c" "d" {}\r\n', ["aws_a", "aws_c"]],
    ['resource "aws_a" /* why */ "b" { x = (1 +\n 2) }', ["aws_a"]],
    ["", []],
  ])("that is broken or unusual gives what can be understood: %j", (text, names) => {
    expect(usesInHcl(text).types.map(({ name }) => name)).toEqual(names);
  });
});

describe("a configuration in JSON", () => {
  const json = JSON.stringify({
    "//": { metadata: { backend: "local" } },
    terraform: { required_providers: { aws: { source: "aws", version: "5.100.0" } }, backend: { local: {} } },
    provider: { aws: [{ region: "eu-central-1" }], random: [{}] },
    resource: {
      aws_s3_bucket: { logs: { bucket: "a", "//": {} } },
      postgresql_role: { owner: { provider: "pg.main" }, other: { provider: "$" + "{pg.main}" } },
    },
    data: [{ aws_region: { here: {} } }],
    module: { network: { source: "./network" } },
  });

  test("as CDKTF writes it names the same", () => {
    const { wanted, notes } = wantedBy(usesInJson(json));
    expect(wanted).toEqual([
      { source: "hashicorp/aws@5.100.0", names: ["aws_s3_bucket", "data.aws_region"] },
      { source: "hashicorp/pg", names: ["postgresql_role"] },
      { source: "hashicorp/random", names: [] },
    ]);
    expect(notes).toEqual([expect.stringContaining('module "network"')]);
  });

  test("is taken together with HCL that requires its providers", () => {
    const hcl = usesInHcl('terraform {\n required_providers {\n pg = { source = "cyrilgdn/postgresql" }\n }\n}');
    expect(wantedBy(allUses([usesInJson(json), hcl])).wanted).toContainEqual({
      source: "cyrilgdn/postgresql",
      names: ["postgresql_role"],
    });
  });
});
