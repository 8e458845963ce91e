import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { BusState } from '../bus.ts';
import { listReservations } from '../reservations/list-reservations.ts';

export const reservations = {
  uri: 'nexus://reservations',
  name: 'reservations',
  title: 'Reserved files',
  description: 'All reservations of files in force: who holds which glob, until when, and whether alone.',
  mimeType: 'application/json',
  read: async ({ state }) => JSON.stringify(await listReservations(await state.openToRead()), null, 2),
} satisfies ResourceDefinition<BusState>;

/** As `nexus://reservations` has them. */
export type ReservationsView = Awaited<ReturnType<typeof listReservations>>;
