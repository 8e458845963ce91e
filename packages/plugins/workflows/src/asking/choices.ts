import { expertTurn, vote } from '@nexus/plugin-sdk';
import type { Choice } from './choice-fault.ts';

export const expert = { kind: expertTurn, field: 'role', word: 'expert' } as const satisfies Choice;

export const votingStrategy = {
  kind: vote,
  field: 'strategy',
  word: 'voting strategy',
} as const satisfies Choice;

export const errorPolicy = {
  kind: vote,
  field: 'errorPolicy',
  word: 'error policy',
} as const satisfies Choice;
