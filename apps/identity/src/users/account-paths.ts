/** The pages of an account; its cookie is sent to these alone. */
export const ACCOUNT_PATH = '/public/account';
export const INVITATION_PATH = `${ACCOUNT_PATH}/invitation`;
export const RESET_PATH = `${ACCOUNT_PATH}/reset`;
export const EMAIL_PATH = `${ACCOUNT_PATH}/email`;
export const COMPANY_PATH = `${ACCOUNT_PATH}/company`;
/** Where companies' identity providers lead browsers back to. */
export const COMPANY_CALLBACK_PATH = `${COMPANY_PATH}/callback`;
export const SIGN_IN_PATH = `${ACCOUNT_PATH}/sign-in`;
