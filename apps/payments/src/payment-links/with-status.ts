/** Where the customer goes afterwards, with the result as a parameter; null where there is no such place. */
export function withStatus(
  redirectUrl: string | null,
  status: 'success' | 'pending' | 'failed',
  paymentMethodId: string | null,
): string | null {
  if (redirectUrl === null) return null;
  const url = new URL(redirectUrl);
  url.searchParams.set('status', status);
  if (paymentMethodId !== null) url.searchParams.set('paymentMethodId', paymentMethodId);
  return url.toString();
}
