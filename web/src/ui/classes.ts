/** Joins class names and skips false ones. */
export const cx = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
