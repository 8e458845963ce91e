export const serverHelp = `Usage: nexus --mode=server [options]

Serves MCP over stdin and stdout; this is what a host's config starts.

Options:
  --config <file>  config file (default: nexus.config.json or .yaml, found upward)
  --verbose        log every registration and call to stderr
  --standalone     never share this server with other hosts
  -h, --help       show this

Examples:
  nexus --mode=server
  nexus --mode=server --config ~/team/nexus.config.yaml --verbose
`;
