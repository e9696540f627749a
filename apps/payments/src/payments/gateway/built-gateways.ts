import { Injectable } from '@nestjs/common';
import { SepaDebitGateway } from '../../sepa/sepa-debit.gateway.js';
import { Gateways, type PaymentGateway } from './payment-gateway.js';
import { fakeProviderGateway, testingGateway } from './testing.gateway.js';

@Injectable()
export class BuiltGateways extends Gateways {
  private readonly byName: ReadonlyMap<string, PaymentGateway>;

  constructor(sepaDebit: SepaDebitGateway) {
    super();
    const built: PaymentGateway[] = [testingGateway, fakeProviderGateway, sepaDebit];
    this.byName = new Map(built.map((gateway) => [gateway.name, gateway]));
  }

  find(name: string): PaymentGateway | undefined {
    return this.byName.get(name);
  }
}
