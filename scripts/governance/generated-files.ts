import { workflowJsonSchema } from '../../packages/plugins/workflows/src/definition/json-schema.ts';
import type { Subject } from './check.ts';
import { configJsonSchema } from './pages/config-schema.ts';
import { configurationPage } from './pages/configuration-page.ts';
import { errorsPage } from './pages/errors-page.ts';
import { limitsPage } from './pages/limits-page.ts';
import { mutationPage } from './pages/mutation-page.ts';
import { toolsPage } from './pages/tools-page.ts';

export interface GeneratedFile {
  readonly file: string;
  render(subject: Subject): string;
}

/** Files in the repository that are made from the code; the lock is made from the running server. */
export const generatedFiles: readonly GeneratedFile[] = [
  { file: 'docs/tools.md', render: ({ plugins }) => toolsPage(plugins) },
  { file: 'docs/errors.md', render: () => errorsPage() },
  { file: 'docs/limits.md', render: ({ workspace }) => limitsPage(workspace) },
  { file: 'docs/mutation.md', render: ({ workspace }) => mutationPage(workspace) },
  { file: 'docs/configuration.md', render: (subject) => configurationPage(subject) },
  {
    file: 'apps/nexus/nexus.config.schema.json',
    render: (subject) => `${JSON.stringify(configJsonSchema(subject), null, 2)}\n`,
  },
  {
    file: 'apps/nexus/nexus.workflow.schema.json',
    render: () => `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`,
  },
];
