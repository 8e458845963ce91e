const FIELDS = ['billing', 'support', 'design', 'staging', 'mail', 'analytics', 'warehouse', 'payroll'];

const SYSTEMS = {
  github: 'issues, pull requests, releases and workflow runs of the repositories',
  postgres: 'tables, rows, indexes and slow queries of the main database',
  calendar: 'events, invitations, rooms and free times of the whole team',
  grafana: 'dashboards, alerts, data sources and log queries of the services',
  files: 'documents, folders, permissions and comments in the shared drive',
  kubernetes: 'deployments, pods, logs and rollouts of the cluster',
  tickets: 'tickets, sprints, boards, labels and the people they are assigned to',
  'web-search': 'search of the web and reading of pages as plain text',
};

/** A config's toolboxes as a large team has them: 64, described as people do. */
export function someToolboxes(): Record<string, object> {
  return Object.fromEntries(
    FIELDS.flatMap((field) =>
      Object.entries(SYSTEMS).map(([system, has]) => [
        `${field}-${system}`,
        {
          description: `For ${field}: ${has}.`,
          // A program that is here: what is not is told in notes of its own.
          mcpServers: { [system]: { command: process.execPath, args: [`${system}-mcp.js`] } },
        },
      ]),
    ),
  );
}
