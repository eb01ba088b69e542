import type { House } from '../house.ts'

interface Stored {
  readonly id: string
  readonly sealed: string
}

/** Puts the refresh token that a provider answered in the place of the one it will not take again; the record is otherwise as it was. */
export async function keepRefreshToken({ db, box }: House, name: string, refreshToken: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const [stored] = await tx.$queryRaw<Stored[]>`SELECT id, sealed FROM credentials WHERE name = ${name} AND type = 'oauth' FOR UPDATE`
    if (!stored) return
    const place = { table: 'credentials', id: stored.id, field: 'sealed' }
    const config = JSON.parse(box.open(place, stored.sealed)) as { credentials: { oauth: Record<string, unknown> } } // checked when it was stored
    const renewed = { ...config, credentials: { ...config.credentials, oauth: { ...config.credentials.oauth, refreshToken } } }
    await tx.$executeRaw`UPDATE credentials SET sealed = ${box.seal(place, JSON.stringify(renewed))} WHERE id = ${stored.id}::uuid`
  })
}
