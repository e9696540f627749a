import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { aboutPeople, noteAccountEvent } from './account-events.js';
import { dropAllTokens, dropTokens, lookAtToken, useToken } from './one-time-tokens.js';
import { hashPassword } from './password-hash.js';
import { endSessions } from './person-sessions.js';
import { fullName, isAddressTaken, type Person, personById, single } from './person.js';

/** Passwords and addresses of people. */
@Injectable()
export class ChangeAccount {
  constructor(private readonly db: Database) {}

  /** Whose password a link sets; null where it cannot be used. */
  async ownerOfReset(token: string): Promise<Person | null> {
    const open = await lookAtToken(single(this.db), 'password_reset', token);
    return open?.personId ? personById(single(this.db), open.personId) : null;
  }

  /** Sets a password that was checked, by a link, once; all sessions end. False where the link was used meanwhile. */
  async resetPassword(token: string, password: string): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return aboutPeople(this.db, async (tx) => {
      const used = await useToken(tx, 'password_reset', token);
      if (!used?.personId) return false;
      const personId = used.personId;
      await tx.query('UPDATE person SET password_hash = $2 WHERE id = $1', [personId, passwordHash]);
      await dropAllTokens(tx, personId);
      const sessions = await endSessions(tx, personId);
      await noteAccountEvent(tx, { type: 'password.changed', personId, metadata: { by: 'link', sessions } });
      return true;
    });
  }

  /** Sets a password that was checked; all sessions but one end. False where the one before is another by now. */
  async changePassword(person: Person, password: string, keptSession: string): Promise<boolean> {
    const personId = person.id;
    const passwordHash = await hashPassword(password);
    return aboutPeople(this.db, async (tx) => {
      const changed = await tx.query(
        'UPDATE person SET password_hash = $2 WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $3 RETURNING 1',
        [personId, passwordHash, person.passwordHash],
      );
      if (changed.length === 0) return false;
      await dropAllTokens(tx, personId);
      const sessions = await endSessions(tx, personId, { but: keptSession });
      await noteAccountEvent(tx, { type: 'password.changed', personId, metadata: { by: 'password', sessions } });
      return true;
    });
  }

  async changeName(person: Person, name: Pick<Person, 'firstName' | 'lastName'>): Promise<void> {
    await aboutPeople(this.db, async (tx) => {
      const { firstName, lastName } = name;
      await tx.query('UPDATE person SET first_name = $2, last_name = $3 WHERE id = $1', [
        person.id,
        firstName,
        lastName,
      ]);
      const metadata = { before: fullName(person), after: fullName(name) };
      await noteAccountEvent(tx, { type: 'name.changed', personId: person.id, metadata });
    });
  }

  /** The address that a link confirms; null where it cannot be used. */
  async addressToConfirm(token: string): Promise<string | null> {
    const open = await lookAtToken<{ email: string }>(single(this.db), 'email_change', token);
    return open?.payload.email ?? null;
  }

  /** Confirms an address by its link, once. False where the link, or the address, is somebody's by now. */
  async confirmAddress(token: string): Promise<boolean> {
    const confirmed = aboutPeople(this.db, async (tx) => {
      const used = await useToken<{ email: string }>(tx, 'email_change', token);
      const person = used?.personId ? await personById(tx, used.personId) : null;
      if (!used || !person) return false;
      const { email } = used.payload;
      const changed = await tx.query(
        `UPDATE person p SET email = $2 WHERE id = $1
           AND NOT EXISTS (SELECT FROM person o WHERE lower(o.email) = lower($2) AND o.id <> $1) RETURNING 1`,
        [person.id, email],
      );
      if (changed.length === 0) return false;
      await dropTokens(tx, person.id, ['email_change', 'password_reset']);
      const metadata = { before: person.email, after: email };
      await noteAccountEvent(tx, { type: 'email.changed', personId: person.id, metadata });
      return true;
    });
    return confirmed.catch((error: unknown) => {
      if (!isAddressTaken(error)) throw error;
      return false;
    });
  }
}
