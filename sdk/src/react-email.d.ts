/** The part of the optional `@react-email/render` that is used; a program that sends React mail has it. */
declare module '@react-email/render' {
  export function render(element: unknown, options?: { plainText?: boolean }): Promise<string>
}
