import { X509Certificate, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { minorOf } from './minor-of.js';
import { captureOf, outcomeOfRefund } from './online-wallet.outcomes.js';
import { type Callback, CallbackRefused, type GatewayNotice, type NoticeSubject } from '../port/payment-gateway.js';

const TOLERANCE_MS = 3_600_000;
const CERTIFICATE_TIMEOUT_MS = 10_000;
const CERTIFICATE_HOST = /^(api|api-m)(\.sandbox)?\.paypal\.com$/;
const CERTIFICATE_PATH = '/v1/notifications/certs/';
/** Whoever calls names the certificate: while PayPal does not answer, that many callers wait, and everybody else's requests go on. */
const MAX_FETCHES = 4;

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/**
 * Reads events of PayPal. They are signed with a certificate of PayPal's, which is fetched once from PayPal's own host.
 * @see https://developer.paypal.com/api/rest/webhooks/rest/#verify-webhook-signature
 */
export class OnlineWalletCallbacks {
  private readonly certificates = new Map<string, X509Certificate>();
  private fetches = 0;

  constructor(private readonly config: { readonly webhookId: string | undefined; readonly apiBase: string }) {}

  /** @throws CallbackRefused. */
  async read(callback: Callback): Promise<GatewayNotice[]> {
    await this.verify(callback);
    const event = JSON.parse(callback.body.toString('utf8'));
    const notice = noticeOf(String(event.event_type), event.resource ?? {}, String(event.id));
    return notice ? [notice] : [];
  }

  private async verify({ headers, body, receivedAt }: Callback): Promise<void> {
    if (this.config.webhookId === undefined) throw new CallbackRefused('no webhook is configured');
    const header = (name: string): string => {
      const value = headers[name];
      if (typeof value !== 'string') throw new CallbackRefused(`the header ${name} is missing`);
      return value;
    };
    const [id, time, signature] = [
      header('paypal-transmission-id'),
      header('paypal-transmission-time'),
      header('paypal-transmission-sig'),
    ];
    if (header('paypal-auth-algo') !== 'SHA256withRSA') throw new CallbackRefused('the algorithm is unknown');
    const certificate = await this.certificate(header('paypal-cert-url'));
    const message = `${id}|${time}|${this.config.webhookId}|${crc32(body)}`;
    if (!verify('RSA-SHA256', Buffer.from(message), certificate.publicKey, Buffer.from(signature, 'base64')))
      throw new CallbackRefused('the signature is wrong');
    const age = receivedAt.getTime() - Date.parse(time);
    // A delivery that failed is repeated for days, each time with a time of its own.
    if (!(Math.abs(age) <= TOLERANCE_MS)) throw new CallbackRefused('the signature is too old');
  }

  private async certificate(address: string): Promise<X509Certificate> {
    const known = this.certificates.get(address);
    if (known) return mustBeValid(known);
    if (!this.isTrusted(address)) throw new CallbackRefused('the certificate is not from PayPal');
    if (this.fetches >= MAX_FETCHES) throw new CallbackRefused('too many certificates are fetched');
    let pem: string;
    this.fetches++;
    try {
      const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(CERTIFICATE_TIMEOUT_MS) });
      pem = await response.text();
    } catch {
      throw new CallbackRefused('the certificate cannot be fetched');
    } finally {
      this.fetches--;
    }
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(pem);
    } catch {
      throw new CallbackRefused('the certificate cannot be read');
    }
    if (this.certificates.size > 20) this.certificates.clear();
    this.certificates.set(address, certificate);
    return mustBeValid(certificate);
  }

  /** Fetched over TLS from PayPal (or from the host that stands for it here), so its own chain need not be followed. */
  private isTrusted(address: string): boolean {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url?.pathname.startsWith(CERTIFICATE_PATH)) return false;
    if (url.origin === new URL(this.config.apiBase).origin) return true;
    return url.protocol === 'https:' && url.port === '' && CERTIFICATE_HOST.test(url.hostname);
  }
}

function mustBeValid(certificate: X509Certificate): X509Certificate {
  const now = Date.now();
  if (Date.parse(certificate.validFrom) > now || Date.parse(certificate.validTo) < now)
    throw new CallbackRefused('the certificate is not valid now');
  return certificate;
}

function noticeOf(type: string, resource: any, eventId: string): GatewayNotice | null {
  switch (type) {
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED': {
      const outcome = captureOf(type.startsWith('PAYMENT.CAPTURE.DE') ? { ...resource, status: 'DECLINED' } : resource);
      return { eventId, kind: 'collection', subject: subjectOf(resource, String(resource.id)), outcome };
    }
    case 'PAYMENT.CAPTURE.REVERSED':
      // The resource is the money that went back, which goes once; it links to the capture.
      return {
        eventId: resource.id ? `reversed:${resource.id}` : eventId,
        kind: 'returned',
        subject: { reference: captureIdOf(resource) ?? String(resource.id) },
        reason: 'reversed',
        feeMinor: '0',
        amountMinor: minorOf(resource.amount),
        afterPayment: true,
      };
    case 'PAYMENT.CAPTURE.REFUNDED':
    case 'PAYMENT.REFUND.PENDING':
    case 'PAYMENT.REFUND.FAILED':
      return {
        eventId,
        kind: 'refund',
        subject: subjectOf(resource, String(resource.id)),
        outcome: outcomeOfRefund(resource),
        paymentReference: captureIdOf(resource),
      };
    case 'CHECKOUT.ORDER.APPROVED':
      return { eventId, kind: 'approved', subject: subjectOf(resource.purchase_units?.[0] ?? {}, String(resource.id)) };
    case 'VAULT.PAYMENT-TOKEN.DELETED':
      return { eventId, kind: 'method_ended', methodReference: String(resource.id), reason: 'agreement_cancelled' };
    default:
      return null;
  }
}

const OURS = /^([0-9a-f-]{36})\/([0-9a-f-]{36})$/;

function subjectOf(resource: any, reference: string): NoticeSubject {
  const [, tenantId, transactionId] = OURS.exec(resource.custom_id ?? '') ?? [];
  return tenantId && transactionId ? { tenantId, transactionId } : { reference };
}

/** The capture that a refund or reversal belongs to, from its link. */
function captureIdOf(resource: any): string | null {
  const up = (resource.links ?? []).find((link: any) => link.rel === 'up')?.href as string | undefined;
  return up?.split('/').at(-1) ?? null;
}
