import type { KnownOnRecord } from '@nexus/core';
import type { Log, RunCaller, RunKindName, ToolCaller, Trace } from '@nexus/plugin-sdk';
import type { MadeChild } from '../record/children.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import type { Settlements } from './settlements.ts';
import type { StepQuestions } from './step-questions.ts';

/** What one run in this process needs of the process. */
export interface InstanceServices {
  readonly on: RunDatabase;
  readonly log: Log;
  readonly settlements: Settlements;
  /** Fires when this process stops, before its runs are released. */
  readonly shutdown: AbortSignal;
  /** Whose call began it in this process. */
  readonly caller: RunCaller | undefined;
  readonly graceMs?: number | undefined;
  /** How long a run that only waits is kept in memory. */
  parkAfterMs(): number;
  /** Parks the run's family, where all that is here of it only waits. @returns whether it does */
  parkFamily(): boolean;
  tools(run: RunRow, at: CallingStep): ToolCaller;
  /** A child was made that is this process's. */
  adoptChild(child: MadeChild): void;
  /** As a plugin here has it; undefined where none does. */
  kindOf(kind: RunKindName): RunKindName | undefined;
  onProgress(runId: string, report: { message: string; done?: number; total?: number }): void;
  /** Something of it is on record now. */
  onRecorded(runId: string): void;
  /** All that it does here now is to wait. */
  onResting(runId: string): void;
  /** It got a step further. */
  onAdvanced(runId: string): void;
  /** It is out of this process's hands, with nothing of it left running. */
  onGone(runId: string): void;
}

/** The step whose tools are asked for, and what ends its calls. */
export interface CallingStep {
  readonly step: string;
  readonly signal: AbortSignal;
  /** What they are part of. */
  readonly trace?: Trace | undefined;
  /** A person's word on what a call of it would do: undefined while nobody has said any. */
  readonly sayYes: StepQuestions['ask'];
  /** What the run's family has come to know, on record with it. */
  readonly known: KnownOnRecord;
}
