import { sharingRounds } from '../sharing-rounds.ts';

// test/slow has many more of them.
sharingRounds({ elections: 6, endings: 5 });
