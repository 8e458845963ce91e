import type { TaskStatusName } from './task-status-name.ts';

export interface TaskRequest {
  readonly title: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly capabilities: readonly string[];
  readonly dependsOn: readonly string[];
  readonly maxAttempts: number;
  readonly timeoutMs?: number | undefined;
  /** Within its label. */
  readonly idempotencyKey?: string | undefined;
  readonly label?: string | undefined;
}

export interface Submitted {
  readonly taskId: string;
  readonly status: TaskStatusName;
  /** The key had been used for this very task, which is the one answered. */
  readonly isDuplicate: boolean;
}
