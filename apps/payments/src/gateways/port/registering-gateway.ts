import type {
  AccountDetails,
  CardDetails,
  GatewayName,
  OnlineWalletDetails,
} from '../../domain/payment-methods/payment-method.js';

/** A way to pay that a provider is asked to make. Asking again with the same `methodId` makes nothing twice. */
export interface RegistrationRequest {
  readonly tenantId: string;
  readonly methodId: string;
  readonly customerId: string;
  readonly customer: {
    readonly email: string;
    readonly name: string | null;
    readonly language: string;
    readonly countryCode: string;
  };
  readonly gateway: GatewayName;
  /** Our page to which the provider sends the payer back. */
  readonly redirectUrl: string;
  readonly cardProvider: Readonly<Record<string, unknown>> | null;
  readonly debitProvider: Readonly<Record<string, unknown>> | null;
}

/** What the provider says about it. `failed`: refused; nothing is kept of it. */
export interface RegistrationAnswer {
  readonly status: 'active' | 'action_required' | 'failed' | 'gateway_unconfigured';
  readonly referenceId: string | null;
  /** Where the payer has to go. */
  readonly actionUrl?: string | null;
  readonly failReason?: string | null;
  readonly card?: CardDetails | null;
  readonly sepaDebit?: AccountDetails | null;
  readonly onlineWalletProvider?: OnlineWalletDetails | null;
}

export const UNCONFIGURED: RegistrationAnswer = {
  status: 'gateway_unconfigured',
  referenceId: null,
  failReason: 'gateway_unconfigured',
};

/** Whether the payer's action is done, asked when the payer comes back. */
export interface RegistrationQuestion {
  readonly tenantId: string;
  readonly methodId: string;
  readonly referenceId: string | null;
}

/** A gateway whose methods are made at a provider. Called outside every transaction; an exception means: not known. */
export interface RegisteringGateway {
  /** False while the credentials are missing. */
  readonly configured?: boolean;
  register(request: RegistrationRequest): Promise<RegistrationAnswer>;
  registration(question: RegistrationQuestion): Promise<RegistrationAnswer>;
  /** A removed method is not to be charged any more. */
  revoke(question: RegistrationQuestion): Promise<void>;
}

/** The gateway as one that registers; undefined when it cannot. */
export const registering = (gateway: object | undefined): Partial<RegisteringGateway> =>
  (gateway ?? {}) as Partial<RegisteringGateway>;

/** Whether the gateway's provider can be asked: its credentials are there. */
export const isConfigured = (gateway: object | undefined): boolean => {
  const { register, configured } = (gateway ?? {}) as Partial<RegisteringGateway>;
  return register !== undefined && configured !== false;
};
