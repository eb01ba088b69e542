const ownTokens = /^(?:TIMESTAMP(?:\.EPOCH|\.ISO)?|(?:CREDENTIALS|PROMPTS|CHECKPOINTS|template)\..+)$/s

/** Whether a token is one that the language keeps for itself: it means the same in every row, whatever columns the row has. */
export const isOwnToken = (token: string): boolean => ownTokens.test(token)
