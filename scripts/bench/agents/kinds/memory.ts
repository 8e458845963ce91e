import { AT_MOST, type Kind } from '../work.ts';

/** What a team has learnt: each is written once, and asked for by others. */
const FACTS = [
  ['build', 'pnpm build --filter app, after pnpm install with the lock file frozen; takes four minutes cold'],
  ['release', 'Releases are cut on Tuesdays from main; the tag is made by the pipeline, never by hand'],
  ['database', 'Postgres 15 since March, since the jsonb indexes of 12 were too slow for the order search'],
  ['flaky-test', 'checkout.spec fails once in thirty where the clock passes midnight in UTC; run it again'],
  ['error-style', 'Errors carry a code of the table in errors.ts; nothing else may reach a client'],
  ['staging', 'staging.example.org is deployed from the branch next, its data are reset every night at two'],
] as const;

export const memory: Kind = {
  name: 'memory',
  most: AT_MOST,
  tasks: () => [
    {
      asked: 'Keep six facts for the others',
      nexus: FACTS.map(([key, value]) => ({
        tool: 'memory_write',
        arguments: { backend: 'agentic', key, value },
      })),
      shell: FACTS.map(([key, value]) => `echo "$(date +%F) ${key}: ${value}" >> .git/notes.md`),
      holds: [],
    },
    {
      asked: 'Which database is it, and why?',
      nexus: [{ tool: 'memory_query', arguments: { query: 'database' } }],
      shell: [`rg -i database .git/notes.md`],
      holds: [FACTS[2][1]],
    },
    {
      asked: 'What is known of releases and of staging?',
      nexus: [{ tool: 'memory_query', arguments: { query: 'release staging' } }],
      shell: [`rg -i 'release|staging' .git/notes.md`],
      holds: [FACTS[1][1], FACTS[5][1]],
    },
    {
      asked: 'The build takes six minutes now',
      nexus: [
        {
          tool: 'memory_write',
          arguments: { backend: 'agentic', key: 'build', value: FACTS[0][1].replace('four', 'six') },
        },
      ],
      shell: [`sed -i '/ build: /s/four minutes/six minutes/' .git/notes.md`],
      holds: [],
    },
    {
      asked: 'Everything that is known',
      nexus: [{ tool: 'memory_query', arguments: { query: '*' } }],
      shell: [`cat .git/notes.md`],
      holds: [FACTS[3][1], 'takes six minutes cold'],
    },
  ],
};
