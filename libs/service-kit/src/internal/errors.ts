/** The other service was not reached: it has not seen the call, so nothing has happened there. */
export class ServiceUnavailable extends Error {
  readonly kind = 'unavailable';

  constructor(
    readonly service: string,
    cause?: unknown,
  ) {
    super(`service ${service} is not reachable`, { cause });
    this.name = 'ServiceUnavailable';
  }
}

/** The other service refused us, not what we asked: nothing has happened there, and it will when the settings are right. */
export class NotTrusted extends ServiceUnavailable {
  constructor(service: string) {
    super(service);
    this.message = `service ${service} does not accept our token: SECRETS_KEY (or INTERNAL_SECRET) is not the same there, or a clock is wrong by minutes`;
  }
}

/** The call was sent and no usable answer came back: it may or may not have had its effect. */
export class OutcomeUnknown extends Error {
  readonly kind = 'unavailable';

  constructor(
    readonly service: string,
    cause?: unknown,
  ) {
    super(`service ${service} did not answer: the outcome is unknown`, { cause });
    this.name = 'OutcomeUnknown';
  }
}
