import { Injectable } from '@nestjs/common';
import { ServiceConfig } from '@kontor/service-kit';

/** Live and sandbox have an issuer each, at an address of its own. */
export type IssuerName = 'live' | 'sandbox';
export const ISSUER_NAMES: readonly IssuerName[] = ['live', 'sandbox'];

/**
 * Where each issuer is found. Without AUTH_URL and SANDBOX_AUTH_URL: live at PUBLIC_URL, the sandbox at `sandbox.` before its name; on
 * one machine the sandbox has 127.0.0.1 and live localhost, which browsers keep apart.
 */
@Injectable()
export class IssuerAddresses {
  private readonly urls: Readonly<Record<IssuerName, string>>;

  constructor(config: ServiceConfig) {
    const isHere = (name: string): boolean => name === '127.0.0.1' || name === 'localhost';
    const { hostname } = new URL(config.publicUrl);
    const at = (name: string): string => {
      const url = new URL(config.publicUrl);
      url.hostname = name;
      return url.origin;
    };
    const derived = isHere(hostname)
      ? { live: at('localhost'), sandbox: at('127.0.0.1') }
      : { live: at(hostname), sandbox: at(`sandbox.${hostname}`) };
    this.urls = {
      live: config.read.origin('AUTH_URL') ?? derived.live,
      sandbox: config.read.origin('SANDBOX_AUTH_URL') ?? derived.sandbox,
    };
  }

  /** Without a trailing slash. */
  urlOf(issuer: IssuerName): string {
    return this.urls[issuer];
  }

  /** The issuer that a request is for, by the name and port it was sent to; no other name leads to one. */
  issuerAt(host: string | undefined): IssuerName | undefined {
    return ISSUER_NAMES.find((name) => new URL(this.urls[name]).host === host?.toLowerCase());
  }
}
