/** What XML cannot hold. */
const UNWRITABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Text as XML can hold it, without blanks around it; null when nothing is left. */
export const plain = (text: string | null | undefined): string | null => text?.replace(UNWRITABLE, '').trim() || null;
