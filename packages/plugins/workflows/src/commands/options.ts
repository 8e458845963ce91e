import { z } from 'zod';

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,47}$/, 'a name of letters, digits, - and _');

/** The part of the plugin's options that says what may be run on this machine. */
export const commandOptions = {
  commands: z
    .record(name, z.array(z.string().min(1).max(1_000)).min(1).max(50))
    .default({})
    .describe(
      'What may be run in a worktree, by pipelines and to show by a test what other tools say, by name, each as a list of program and arguments, such as {"test": ["pnpm", "test"]}. No shell reads them. Nothing else is run.',
    ),
  checks: z
    .array(name)
    .max(50)
    .optional()
    .describe('Names of the commands that judge a change; by default all but those of setup.'),
  setup: z
    .array(name)
    .max(20)
    .default([])
    .describe('Names of the commands that make a fresh worktree ready, in their order, such as an install.'),
  commandEnvironment: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe(
      'Variables that commands get beside PATH, HOME and the like. Keys of models and other secrets are not among those.',
    ),
  commandTimeoutMs: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(600_000)
    .describe('After which a command is ended with all that it started.'),
};
