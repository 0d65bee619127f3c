/** Packages of Pulumi that wrap a provider of Terraform, and the names of their types there. */
import type { ImportedProvider } from "../contract.js";
import { snakeCase } from "../program/names.js";

/** Source of the provider, and the prefix of its types if the package has another name. */
const BRIDGED: Readonly<Record<string, readonly [source: string, prefix?: string]>> = {
  aiven: ["aiven/aiven"],
  archive: ["hashicorp/archive"],
  auth0: ["auth0/auth0"],
  aws: ["hashicorp/aws"],
  azure: ["hashicorp/azurerm", "azurerm"],
  azuread: ["hashicorp/azuread"],
  cloudflare: ["cloudflare/cloudflare"],
  cloudinit: ["hashicorp/cloudinit"],
  confluentcloud: ["confluentinc/confluent", "confluent"],
  consul: ["hashicorp/consul"],
  datadog: ["DataDog/datadog"],
  digitalocean: ["digitalocean/digitalocean"],
  docker: ["kreuzwerker/docker"],
  fastly: ["fastly/fastly"],
  gcp: ["hashicorp/google", "google"],
  github: ["integrations/github"],
  gitlab: ["gitlabhq/gitlab"],
  grafana: ["grafana/grafana"],
  hcloud: ["hetznercloud/hcloud"],
  keycloak: ["keycloak/keycloak"],
  linode: ["linode/linode"],
  local: ["hashicorp/local"],
  minio: ["aminueza/minio"],
  mongodbatlas: ["mongodb/mongodbatlas"],
  mysql: ["petoju/mysql"],
  newrelic: ["newrelic/newrelic"],
  nomad: ["hashicorp/nomad"],
  null: ["hashicorp/null"],
  okta: ["okta/okta"],
  openstack: ["terraform-provider-openstack/openstack"],
  pagerduty: ["PagerDuty/pagerduty"],
  postgresql: ["cyrilgdn/postgresql"],
  rabbitmq: ["cyrilgdn/rabbitmq"],
  random: ["hashicorp/random"],
  snowflake: ["snowflakedb/snowflake"],
  tailscale: ["tailscale/tailscale"],
  time: ["hashicorp/time"],
  tls: ["hashicorp/tls"],
  vault: ["hashicorp/vault"],
  vercel: ["vercel/vercel"],
  vsphere: ["hashicorp/vsphere"],
};

/** Types whose name does not follow from the token. */
const IRREGULAR: Readonly<Record<string, string>> = {
  "aws:alb/loadBalancer:LoadBalancer": "aws_alb",
  "aws:ec2/eip:Eip": "aws_eip",
  "aws:lb/loadBalancer:LoadBalancer": "aws_lb",
  "aws:rds/instance:Instance": "aws_db_instance",
  "aws:rds/optionGroup:OptionGroup": "aws_db_option_group",
  "aws:rds/parameterGroup:ParameterGroup": "aws_db_parameter_group",
  "aws:rds/subnetGroup:SubnetGroup": "aws_db_subnet_group",
  "aws:s3/bucketObjectv2:BucketObjectv2": "aws_s3_object",
};

/** Modules whose types have no part for the module in their names. */
const SILENT: ReadonlySet<string> = new Set(["index", "core", "ec2", "network", "organizations"]);

export interface Bridged {
  readonly provider: ImportedProvider;
  /** Names that the type may have, the most likely one first. */
  readonly types: readonly string[];
}

/**
 * @param token e.g. `aws:s3/bucket:Bucket`
 * @param given type at the provider, if the user named it
 */
export function bridgedType(token: string, alias?: string, given?: string): Bridged | undefined {
  const [name = "", location = "", member = ""] = token.split(":");
  const found = Object.hasOwn(BRIDGED, name) ? BRIDGED[name] : undefined;
  if (!found || member === "") return undefined;
  const [source, prefix = name] = found;
  const provider = { source: `registry.opentofu.org/${source}`, ...(alias === undefined ? {} : { alias }) };
  return { provider, types: given === undefined ? typesOf(token, prefix, location, member) : [given] };
}

function typesOf(token: string, prefix: string, location: string, member: string): readonly string[] {
  const known = Object.hasOwn(IRREGULAR, token) ? IRREGULAR[token] : undefined;
  if (known !== undefined) return [known];
  const area = snakeCase(location.split("/")[0] ?? "");
  // A newer form of a type has another name at Pulumi only.
  const names = [...new Set([snakeCase(member), snakeCase(member.replace(/V\d$/, ""))])];
  const found = names.flatMap((name) => {
    if (name.startsWith(`${prefix}_`)) return [name, `${prefix}_${name}`];
    const whole = `${prefix}_${area}_${name}`;
    const short = `${prefix}_${name}`;
    return SILENT.has(area) ? [short, whole] : name.startsWith(`${area}_`) ? [short, whole] : [whole];
  });
  // A type outside a module of its own, such as google_compute_instance, has the name of the module in it.
  return [...new Set(found)];
}
