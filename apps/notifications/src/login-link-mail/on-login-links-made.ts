import { type EventOf, loginLinksMadeV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { LOGIN_LINK_TEMPLATES } from './login-link-template.js';

/** Mails the links with which the customers of an e-mail address log in. */
@EventConsumer()
export class OnLoginLinksMade {
  constructor(private readonly replicas: Replicas) {}

  @Consume(loginLinksMadeV1)
  handle({ payload }: EventOf<typeof loginLinksMadeV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'login_link',
      reference: payload.requestId,
      customerId: payload.links[0]!.customerId,
      templates: LOGIN_LINK_TEMPLATES,
      model: () => ({ links: payload.links }),
    });
  }
}
