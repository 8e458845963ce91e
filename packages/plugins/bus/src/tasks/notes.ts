import { z } from 'zod';
import type { Bus } from '../bus.ts';
import { moment, toMoment } from '../fields.ts';
import type { TaskRow } from './task-row.ts';

/** How many notes whoever works on the task is told of at once. */
const TOLD = 20;

/** Characters of JSON that progress has in the answer that hands over a task. */
const PROGRESS_ROOM = 12_000;

export const noteView = z.object({ at: moment, by: z.string(), text: z.string() });

export type NoteView = z.output<typeof noteView>;

export const progressView = z.object({
  at: moment,
  by: z.string(),
  value: z.unknown().optional(),
  valueChars: z.int().optional(),
});

export async function addNote(
  { db, clock }: Bus,
  { taskId, author, body }: { readonly taskId: string; readonly author: string; readonly body: string },
): Promise<void> {
  await db.insertInto('bus_notes').values({ task_id: taskId, author, body, noted_at: clock.now }).execute();
}

/** All notes on the task, oldest first. @param since epoch milliseconds */
export async function findNotes({ db }: Bus, taskId: string, since = 0): Promise<NoteView[]> {
  const rows = await db
    .selectFrom('bus_notes')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('noted_at', '>=', since)
    .orderBy('seq')
    .execute();
  return rows.map(({ noted_at, author, body }) => ({ at: toMoment(noted_at), by: author, text: body }));
}

/** What whoever works on a task is told of its notes: the newest, and how many there are where those are not all. */
export function toldNotes(notes: readonly NoteView[]): { notes?: NoteView[]; notesTotal?: number } {
  if (notes.length === 0) return {};
  return {
    notes: notes.slice(-TOLD),
    ...(notes.length > TOLD ? { notesTotal: notes.length } : {}),
  };
}

/** How far the last worker that told of it had come. @param room what is longer is left out whole, its length said */
export function progressOf(row: TaskRow, room = PROGRESS_ROOM): z.output<typeof progressView> | undefined {
  const { progress, progress_by: by, progress_at: at } = row;
  if (progress === null || by === null || at === null) return undefined;
  const told = { at: toMoment(at), by };
  if (progress.length > room) return { ...told, valueChars: progress.length };
  return { ...told, value: JSON.parse(progress) as unknown };
}
