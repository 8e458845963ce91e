const TEAMS = ['payments', 'search', 'identity', 'catalogue', 'delivery'];
const SERVICES = 60;

/** What the knowledge graph holds: services, teams, and who owns what. */
export function knowledge(): readonly object[] {
  const services = Array.from({ length: SERVICES }, (_, at) => ({
    type: 'entity',
    name: `${TEAMS[at % TEAMS.length]}-service-${at}`,
    entityType: 'service',
    observations: [
      `Runs in ${at % 2 === 0 ? 'Frankfurt' : 'Dublin'} on ${2 + (at % 5)} machines, deployed by its pipeline on every merge to main`,
      `Keeps its records in Postgres ${12 + (at % 4)} and its queue in the shared broker, topic t-${at}`,
      `Its runbook was read over on 2026-0${1 + (at % 9)}-1${at % 10} by whoever was on call that week`,
    ],
  }));
  const teams = TEAMS.map((name) => ({
    ...{ type: 'entity', name: `team ${name}`, entityType: 'team' },
    observations: [`Is on call for everything that is called ${name}-*`, 'Meets on Tuesdays'],
  }));
  const owners = services.map(({ name }, at) => ({
    ...{ type: 'relation', from: `team ${TEAMS[at % TEAMS.length]}` },
    ...{ to: name, relationType: 'owns' },
  }));
  return [...services, ...teams, ...owners];
}
