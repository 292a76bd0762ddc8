/** A ref for what takes the place of something that had the focus, which is lost otherwise. */
export const withFocus = (node: HTMLElement | null): void => {
  if (node && document.activeElement === document.body) node.focus()
}
