import { sharingRounds } from '../sharing-rounds.ts';

sharingRounds({ elections: 25, endings: 10 });
