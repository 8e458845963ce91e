import type { z } from 'zod';
import type { options } from './options.ts';

export interface GitHubState {
  readonly options: z.output<typeof options>;
}
