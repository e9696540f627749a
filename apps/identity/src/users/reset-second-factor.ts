import { unknownReference } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { aboutPeople } from '../accounts/account-events.js';
import { endSessions } from '../accounts/person-sessions.js';
import { personByEmail } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';

/** For who has lost the device with the codes, and the recovery codes: the operator, who knows the person, lets in by the password alone. */
@Injectable()
export class ResetSecondFactor {
  constructor(
    private readonly db: Database,
    private readonly secondFactor: SecondFactor,
  ) {}

  /** All sessions end: who has the device may have one. Done again, it changes nothing. @throws DomainError 422 `unknown_reference` */
  async execute(email: string): Promise<void> {
    await aboutPeople(this.db, async (tx) => {
      const person = await personByEmail(tx, email);
      if (!person) throw unknownReference('email', 'account');
      if ((await this.secondFactor.lockSecret(tx, person.id)) === null) return;
      await this.secondFactor.disable(tx, person.id, 'operator');
      await endSessions(tx, person.id);
    });
  }
}
