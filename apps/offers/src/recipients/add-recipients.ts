import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { DomainError } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { RecipientRow, recipients } from './recipient.row.js';
import type { RecipientDto } from './recipient.dto.js';
import { digestOf, RecipientLinks } from './tokens.js';

export const MAX_RECIPIENTS = 50;

/** Gives people their links to an offer, which is locked by the caller. */
@Injectable()
export class AddRecipients {
  constructor(private readonly links: RecipientLinks) {}

  /** @throws DomainError `already_exists` for an address that has a link, `too_many_recipients` */
  async execute(tx: TenantTx, offerId: string, wanted: readonly RecipientDto[]): Promise<RecipientRow[]> {
    const known = await recipients.find(tx, { offerId });
    if (known.length + wanted.length > MAX_RECIPIENTS)
      throw new DomainError('too_many_recipients', { detail: `An offer has at most ${MAX_RECIPIENTS} recipients.` });
    const taken = new Set(known.map(({ email }) => email.toLowerCase()));
    const added = wanted.map((body) => {
      const email = body.email.trim();
      if (taken.has(email.toLowerCase()))
        throw new DomainError('already_exists', { detail: `${email} is a recipient of this offer already.` });
      taken.add(email.toLowerCase());
      return this.row(tx, offerId, body, email);
    });
    await recipients.insert(tx, added);
    return added;
  }

  private row(tx: TenantTx, offerId: string, body: RecipientDto, email: string): RecipientRow {
    const id = newUuid();
    return Object.assign(new RecipientRow(), {
      tenantId: tx.tenantId,
      id,
      offerId,
      email,
      firstName: body.firstName ?? null,
      lastName: body.lastName ?? null,
      role: body.role ?? ('sign' as const),
      turn: body.turn ?? 1,
      sendEmail: body.sendEmail ?? false,
      mailedAt: null,
      tokenDigest: digestOf(this.links.tokenOf({ tenantId: tx.tenantId, id })),
      signature: null,
      signedAt: null,
      createdAt: tx.now,
    } satisfies RecipientRow);
  }
}
