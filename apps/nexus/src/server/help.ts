export const serverHelp = `Usage: nexus --mode=server [options]

Serves MCP over stdin and stdout; this is what a host's config starts. The first
process of a project serves, every further one joins it, and when it ends one of
the others goes on.

Modes:
  --mode=server    join the project's running server, or become it
  --mode=client    only join; fails where no server runs

Options:
  --config <file>  config file (default: nexus.config.json or .yaml, here or in a folder above)
  --verbose        log every registration and call to stderr
  --standalone     share with no other process
  -h, --help       show this

Examples:
  nexus --mode=server
  nexus --mode=server --config ~/team/nexus.config.yaml --verbose
`;
