/** The environment variables that Nexus itself reads. */
export const environment = {
  NEXUS_CLIENT_TIMEOUT_MS:
    'How long the host that starts this process waits for the answer of a call, where its settings say so: a call that takes longer goes on as a job before ([timeouts.md](timeouts.md)).',
  NEXUS_CONFIG: 'The config file, where `--config` names none. Relative to the working directory.',
  NEXUS_DATA_DIR: 'Where durable files go. Default: a folder per project in the platform’s state directory.',
  NEXUS_DATABASE_URL: '`postgres://…` puts the tables on Postgres, for servers on several machines.',
  NEXUS_DEPTH:
    'How many command lines asked as models stand above this process; set for each of them. A server that finds it does not start.',
  NEXUS_LOG_LEVEL: 'How much goes to stderr: `debug`, `info`, `warn`, `error` or `silent`.',
  NEXUS_PROJECT_ID:
    'Which project this is, on a database that several share. Default: `project.id` of the config, else the repository’s remote, once its user trusts that.',
  NEXUS_RUNTIME_DIR:
    'Where locks and sockets go. Default: `XDG_RUNTIME_DIR`, else the system’s temporary folder.',
  NEXUS_TIMEOUT_MULTIPLIER: 'Stretches or shortens every time budget: 0.25 to 10, default 1.',
  NEXUS_TRUST:
    '`all` uses every project’s config whole, whoever wrote it, with nobody asked: for containers.',
  NEXUS_WORKER: 'Which worker of the bus commits, for `nexus guard`.',
  WORKBENCH_CONFIG: 'The config file, where neither `--config` nor `NEXUS_CONFIG` names one.',
} as const satisfies Readonly<Record<`${'NEXUS' | 'WORKBENCH'}_${string}`, string>>;
