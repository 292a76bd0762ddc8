/** Lists page by page, and all their items one after the other. */
import type { CallOptions } from './rest.ts'

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** For a later call; undefined after the last page. */
  cursor: string | undefined
  /** The next page; undefined after the last one. */
  next(): Promise<Page<Item> | undefined>
}

/** All items of a list. Pages are fetched while it is read. */
export interface Items<Item> extends AsyncIterable<Item> {
  /** The first page. */
  page(): Promise<Page<Item>>
  /** The items as an array, at most `max` of them. */
  toArray(limit: { max: number }): Promise<Item[]>
}

interface FurtherPages<Input, Item, Argument extends unknown[]> {
  /** All items: `for await (const contact of client.contact.list.all())`. */
  all(...args: Argument): Items<Item>
  /** One page, with the way to the next. */
  page(...args: Argument): Promise<Page<Item>>
  /** Never set: it names the arguments. */
  readonly input?: Input
}

/** An operation that lists, and can be called without arguments. */
export interface ListMethod<Input, Output, Item>
  extends FurtherPages<Input, Item, [input?: Input, options?: CallOptions]> {
  (input?: Input, options?: CallOptions): Promise<Output>
}

/** An operation that lists what belongs to something. */
export interface ListOfMethod<Input, Output, Item>
  extends FurtherPages<Input, Item, [input: Input, options?: CallOptions]> {
  (input: Input, options?: CallOptions): Promise<Output>
}

/** The method of a list, from its call and the name of the items in its results. */
export function listMethod<Input extends object, Output, Item>(
  call: (input: Input, options?: CallOptions) => Promise<Output>,
  field: string,
): ListMethod<Input, Output, Item> & ListOfMethod<Input, Output, Item> {
  const list = (input?: Input, options?: CallOptions): Promise<Output> =>
    call(input ?? ({} as Input), options)

  const page = async (input?: Input, options?: CallOptions): Promise<Page<Item>> => {
    const result = (await list(input, options)) as Record<string, unknown>
    const cursor = result['more'] === false ? undefined : (result['next_cursor'] ?? undefined)
    const following = { ...(input as Input), cursor }
    return {
      items: (result[field] ?? []) as Item[],
      cursor: cursor as string | undefined,
      next: async () => (cursor === undefined ? undefined : page(following, options)),
    }
  }

  const all = (input?: Input, options?: CallOptions): Items<Item> => {
    const items = {
      async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
        for (let current: Page<Item> | undefined = await page(input, options); current; ) {
          yield* current.items
          current = await current.next()
        }
      },
      page: () => page(input, options),
      async toArray({ max }: { max: number }) {
        const found: Item[] = []
        if (max <= 0) return found
        for await (const item of items) if (found.push(item) >= max) break
        return found
      },
    }
    return items
  }
  return Object.assign(list, { all, page })
}
