import { Database } from '@kontor/persistence';
import { ReplicaFreshness, SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods, type PaymentMethod } from '../payment-methods/payment-method.row.js';
import { type GatewayName, GATEWAY_TRAITS } from '../domain/payment-methods/payment-method.js';
import type { MandateConsent } from '../domain/payment-methods/sepa-mandate.js';
import { addMethod } from '../payment-methods/add-method.js';
import type { Registered } from '../payment-methods/complete-payment-method.js';
import { ibanOf, newMethod, newMethodId, newSepaMethod } from '../payment-methods/new-method.js';
import { RegisterMethod } from '../payment-methods/register-method.js';
import { waitForCopies } from '../payment-methods/wait-for-copies.js';
import { methodLinks } from '../db/method-link.row.js';
import type { OpenedLink } from './open-link.js';

/** A form of the page that was found to be in order. */
export interface LinkForm {
  readonly gateway: GatewayName;
  /** For a debit by a mandate of our own. */
  readonly mandate: {
    readonly iban: string;
    readonly accountHolder: string;
    readonly reference: string;
    readonly consent: MandateConsent;
  } | null;
}

export type AddedByLink =
  | { readonly kind: 'added'; readonly method: PaymentMethod }
  | { readonly kind: 'asked'; readonly registered: Registered }
  /** Somebody else used the link meanwhile, or this form was sent twice. */
  | { readonly kind: 'used' };

/** Adds the way to pay that a customer chose on the page. It becomes the default: that is what the page is for. */
@Injectable()
export class AddByLink {
  constructor(
    private readonly database: Database,
    private readonly register: RegisterMethod,
    private readonly freshness: ReplicaFreshness,
    private readonly secrets: SecretBox,
  ) {}

  async execute(opened: OpenedLink, form: LinkForm): Promise<AddedByLink> {
    const { tenantId, link, customer } = opened;
    const request = {
      id: newMethodId(),
      customerId: link.customerId,
      gateway: form.gateway,
      source: 'add_link',
      futureUsageAllowed: true,
    } as const;
    if (GATEWAY_TRAITS[form.gateway].registers) {
      const more = {
        wantsDefault: true,
        cardProvider: null,
        debitProvider: null,
        redirectUrl: link.redirectUrl,
        linkId: link.id,
      };
      return { kind: 'asked', registered: await this.register.execute(tenantId, { ...request, ...more }) };
    }
    let changed: readonly PaymentMethod[] = [];
    const added = await this.database.tenant(tenantId, async (tx): Promise<AddedByLink> => {
      await lockCustomers(tx, [link.customerId]);
      const current = await methodLinks.get(tx, link.id, { lock: 'update' });
      if (!current || current.methodId !== null) return { kind: 'used' };
      const { mandate } = form;
      const method = mandate
        ? await newSepaMethod(tx, this.secrets, {
            request,
            customer,
            dto: { iban: mandate.iban, accountHolder: mandate.accountHolder, mandateReference: mandate.reference },
            consent: mandate.consent,
          })
        : newMethod(tx, request);
      changed = await addMethod(tx, { method, wantsDefault: true, zone: customer.timeZone });
      current.methodId = method.id;
      await methodLinks.save(tx, [current]);
      return { kind: 'added', method };
    });
    await waitForCopies(this.freshness, tenantId, changed);
    return added;
  }

  /**
   * Whether the link has added what the form asks for: of two clicks a browser shows what the second one is answered. Another account is not
   * taken for the one that is stored.
   */
  async hasAdded({ tenantId, link: { methodId } }: OpenedLink, { gateway, mandate }: LinkForm): Promise<boolean> {
    if (methodId === null) return false;
    const [method] = await this.database.tenant(tenantId, (tx) => methods.where(tx, 'id = $2', [methodId]), {
      readOnly: true,
    });
    if (method?.gatewayName !== gateway) return false;
    if (mandate === null) return true;
    const isHolder = method.details.mandate?.accountHolder === mandate.accountHolder;
    return isHolder && ibanOf(this.secrets, method) === mandate.iban;
  }
}
