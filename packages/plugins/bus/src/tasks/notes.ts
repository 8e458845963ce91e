import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Bus } from '../bus.ts';
import { moment, toMoment } from '../fields.ts';
import { newestFitting, type Page, roomIn } from '../page.ts';
import type { BusTables } from '../tables.ts';
import { around, type Ways, waysOf } from './long-value.ts';
import type { TaskRow } from './task-row.ts';

/** How many notes whoever works on the task is told of at once. */
const TOLD = 20;

export const noteView = z.object({ at: moment, by: z.string(), text: z.string() });

export type NoteView = z.output<typeof noteView>;

export const progressView = z.object({
  at: moment,
  by: z.string(),
  value: z.unknown().optional(),
  valueChars: z.int().optional(),
  valueStart: z.string().optional(),
  valueUri: z.string().optional(),
});

type ProgressView = z.output<typeof progressView>;

export async function addNote(
  { db, clock }: Bus,
  { taskId, author, body }: { readonly taskId: string; readonly author: string; readonly body: string },
): Promise<void> {
  await db.insertInto('bus_notes').values({ task_id: taskId, author, body, noted_at: clock.now }).execute();
}

/** All notes on the task, oldest first. */
export async function allNotes({ db }: Bus, taskId: string): Promise<NoteView[]> {
  const rows = await db
    .selectFrom('bus_notes')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('seq')
    .execute();
  return rows.map(toNoteView);
}

/** Notes on a task, the newest of them that were asked for and fit, oldest first; and how many there are in all. */
export interface NotesPage {
  readonly notes: NoteView[];
  readonly notesTotal: number;
  /** Where there are older ones. */
  readonly notesNextOffset?: number;
}

/** Of an answer. */
const SHARE = 0.5;

/** @param since epoch milliseconds; @param offset newer ones to skip; @param room characters of JSON */
export async function findNotes(
  bus: Bus,
  taskId: string,
  {
    limit = TOLD,
    offset = 0,
    since = 0,
    room = roomIn(bus, { share: SHARE }),
  }: Partial<Page> & { readonly since?: number; readonly room?: number } = {},
): Promise<NotesPage> {
  const wanted = bus.db.selectFrom('bus_notes').where('task_id', '=', taskId).where('noted_at', '>=', since);
  const newest = await wanted.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
  const { total } = await wanted.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const notes = newestFitting(newest.map(toNoteView), room);
  const next = offset + notes.length;
  const isMore = notes.length > 0 && next < Number(total);
  return { notes, notesTotal: Number(total), ...(isMore ? { notesNextOffset: next } : {}) };
}

function toNoteView({ noted_at, author, body }: Selectable<BusTables['bus_notes']>): NoteView {
  return { at: toMoment(noted_at), by: author, text: body };
}

/** What whoever works on a task is told of its notes: the newest, and how many there are where those are not all. */
export function toldNotes({ notes, notesTotal }: NotesPage): { notes?: NoteView[]; notesTotal?: number } {
  if (notes.length === 0) return {};
  return { notes, ...(notesTotal > notes.length ? { notesTotal } : {}) };
}

/** How far the last worker that told of it had come. */
export function progressOf(row: TaskRow): Ways<ProgressView> | undefined {
  const { id: taskId, progress, progress_by: by, progress_at: at } = row;
  if (progress === null || by === null || at === null) return undefined;
  const ways = waysOf(progress, { taskId, part: 'progress', name: 'value' });
  return around(ways, (told) => ({ at: toMoment(at), by, ...told }));
}
