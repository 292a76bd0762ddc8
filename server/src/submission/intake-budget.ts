/** Reads submitted mails into memory, within a number of bytes for all of them and for each business. */

export interface IntakeBudget {
  /** The whole mail; undefined where it would not fit now, and then the rest is read and dropped. */
  read(stream: AsyncIterable<Buffer>, tenant: string): Promise<Buffer | undefined>
}

export interface IntakeLimits {
  bytes: number
  /** The bytes of one business, so that no other waits for it. */
  bytesOfTenant: number
}

/** Four mails of the largest size of one business, and eight in all. */
export const intakeLimits: IntakeLimits = {
  bytes: 128 * 1024 * 1024,
  bytesOfTenant: 64 * 1024 * 1024,
}

export function createIntakeBudget({ bytes, bytesOfTenant }: IntakeLimits): IntakeBudget {
  const bytesByTenant = new Map<string, number>()
  let total = 0
  const hold = (tenant: string, more: number) => {
    total += more
    const now = (bytesByTenant.get(tenant) ?? 0) + more
    if (now === 0) bytesByTenant.delete(tenant)
    else bytesByTenant.set(tenant, now)
  }
  return {
    async read(stream, tenant) {
      const chunks: Buffer[] = []
      let size = 0
      let fits = true
      try {
        for await (const chunk of stream) {
          fits &&= total + chunk.length <= bytes
          fits &&= (bytesByTenant.get(tenant) ?? 0) + chunk.length <= bytesOfTenant
          if (!fits) {
            hold(tenant, -size)
            size = 0
            chunks.length = 0
            continue
          }
          chunks.push(chunk)
          size += chunk.length
          hold(tenant, chunk.length)
        }
        return fits ? Buffer.concat(chunks, size) : undefined
      } finally {
        hold(tenant, -size)
      }
    },
  }
}
