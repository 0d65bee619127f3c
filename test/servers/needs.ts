/** A server's requirements of the machine. */
export interface Needs {
  readonly programs: readonly string[];
  /** Debian's packages that have them. */
  readonly packages: readonly string[];
}

export const redisNeeds: Needs = { programs: ["redis-server"], packages: ["redis-server"] };

/** Its programs are in a folder that no PATH names. */
export const postgresNeeds: Needs = {
  programs: ["/usr/lib/postgresql/15/bin/postgres", "/usr/lib/postgresql/15/bin/initdb", "setpriv", "pgbouncer"],
  packages: ["postgresql-15", "util-linux", "pgbouncer"],
};

/** Only the server's own user finds its program by PATH. */
export const rabbitmqNeeds: Needs = {
  programs: ["/usr/lib/rabbitmq/bin/rabbitmq-server", "epmd"],
  packages: ["rabbitmq-server"],
};

export const rgwNeeds: Needs = {
  programs: ["radosgw", "radosgw-admin", "ceph-mon", "ceph-osd", "ceph", "monmaptool"],
  packages: ["radosgw", "ceph-mon", "ceph-osd", "ceph-common"],
};

export const swiftNeeds: Needs = {
  programs: ["python3", "swift-account-server", "swift-container-server", "swift-object-server", "swift-proxy-server"],
  packages: ["swift-account", "swift-container", "swift-object", "swift-proxy"],
};

export const tmuxNeeds: Needs = { programs: ["tmux"], packages: ["tmux"] };

export const browserNeeds: Needs = { programs: ["chromium"], packages: ["chromium"] };

export const sshNeeds: Needs = {
  programs: ["sshd", "ssh", "ssh-keygen"],
  packages: ["openssh-server", "openssh-client"],
};

export const shellNeeds: Needs = { programs: ["bash", "zsh", "fish"], packages: ["bash", "zsh", "fish"] };

/** A compiler, and the libraries that Terraform providers are made with. */
export const goNeeds: Needs = {
  programs: ["go"],
  packages: [
    "golang-go",
    "golang-github-hashicorp-go-plugin-dev",
    "golang-github-zclconf-go-cty-dev",
    "golang-google-grpc-dev",
    "golang-goprotobuf-dev",
  ],
};

export const ageNeeds: Needs = { programs: ["age", "age-keygen"], packages: ["age"] };
