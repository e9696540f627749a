/** The bus takes nothing from here, or must not be given anything: another process may do better. */
export class BusAway extends Error {
  constructor(why = 'the bus is not reached from here') {
    super(`${why}: another process may lead`);
    this.name = 'BusAway';
  }
}
