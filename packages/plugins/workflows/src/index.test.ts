// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPlugin } from '@nexus/testing';
import workflows from './index.ts';

testPlugin(workflows, {
  projectRoot: projectWith({
    '.nexus/workflows/look.yaml': [
      'name: look',
      'description: Lists what there is.',
      'steps:',
      '  - id: list',
      '    uses: tool:list_workflows',
      '    with: { format: names }',
      'outputs:',
      '  count: ${{ steps.list.output.count }}',
    ].join('\n'),
    '.nexus/workflows/round.yaml': [
      'name: round',
      'description: Lists what there is, twice.',
      'nodes:',
      '  - { id: list, uses: tool:list_workflows, with: { format: names } }',
      'edges:',
      '  - { from: list, to: list, atMost: 1 }',
    ].join('\n'),
  }),
  goodCalls: {
    execute_spec: { spec: '- It must add.', dryRun: true },
    list_workflows: { format: 'names' },
    run_graph_workflow: { workflow: 'round' },
    run_dev_pipeline: { task: 'Let it add.', dryRun: true },
    run_pipeline: { task: 'Let it add.', dryRun: true },
    run_workflow: { template: 'look' },
  },
});

function projectWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'nexus-workflows-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=User', '-c', 'user.email=u@localhost', ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=Begin');
  return root;
}
