import type { ResourceDefinition } from '@nexus/plugin-sdk';
import { everyExpert } from '../listing.ts';
import type { ExpertsState } from '../state.ts';

export const experts = {
  uri: 'nexus://experts',
  name: 'experts',
  title: 'Experts',
  description:
    'The roles of experts with what each can do, and the experts that were created. Updated when one is created.',
  mimeType: 'application/json',
  async read({ state, user }) {
    return JSON.stringify(await everyExpert(state, { user }), null, 2);
  },
} satisfies ResourceDefinition<ExpertsState>;
