/** These fields, which are optional by themselves, are there. */
export type Needs<Fields, Key extends keyof Fields> = {
  [K in Key]-?: Exclude<Fields[K], undefined>
}
