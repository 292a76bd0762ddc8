/** Class names joined; what is false leaves none. */
export const cx = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
