import { sharingRounds } from '../sharing-rounds.ts';

sharingRounds({ elections: 50, endings: 20 });
