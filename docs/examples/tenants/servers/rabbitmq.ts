/** The settings with which Debian's RabbitMQ runs as a process of one's own, on 127.0.0.1 alone. */

export interface RabbitmqPorts {
  readonly amqp: number;
  /** Of the management API. */
  readonly management: number;
  /** Of the connections between nodes. */
  readonly distribution: number;
  /** Of epmd, the program that tells nodes the ports of others. */
  readonly epmd: number;
}

/** Debian's program in /usr/sbin changes the user and the folder; this one does not. */
export const RABBITMQ = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/** RabbitMQ would start it as a daemon, which stays. */
export function epmdArguments({ epmd }: RabbitmqPorts): readonly string[] {
  return ["-address", "127.0.0.1", "-port", String(epmd)];
}

/** Contents of the files in its folder, by name. */
export function rabbitmqFiles(ports: RabbitmqPorts): Readonly<Record<string, string>> {
  return {
    "rabbitmq.conf": `listeners.tcp.1 = 127.0.0.1:${ports.amqp}
management.tcp.ip = 127.0.0.1
management.tcp.port = ${ports.management}
log.file = false
log.console = true
log.console.level = warning
management_agent.disable_metrics_collector = true
`,
    enabled_plugins: "[rabbitmq_management].\n",
  };
}

/**
 * Its environment, to which RABBITMQ_DEFAULT_USER and RABBITMQ_DEFAULT_PASS add an administrator at the first start. It
 * keeps all its files below the folder.
 */
export function rabbitmqEnvironment(folder: string, ports: RabbitmqPorts): Readonly<Record<string, string>> {
  return {
    HOME: folder, // for the cookie, with which nodes know each other
    ERL_EPMD_ADDRESS: "127.0.0.1",
    ERL_EPMD_PORT: String(ports.epmd),
    RABBITMQ_NODENAME: `tenants-${ports.amqp}@localhost`,
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONFIG_FILE: `${folder}/rabbitmq.conf`,
    RABBITMQ_CONF_ENV_FILE: "/dev/null", // Debian's has another name for the node
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/enabled_plugins`,
    RABBITMQ_MNESIA_BASE: `${folder}/mnesia`,
    RABBITMQ_LOG_BASE: `${folder}/log`,
    RABBITMQ_PID_FILE: `${folder}/pid`,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1} +S 1:1 +sbwt none",
    RUNNING_UNDER_SYSTEMD: "true", // its script becomes the server, so that signals reach it
  };
}
