export const brandPart = {
  header: 'Brand header. Change it in the brand settings.',
  footer: 'Brand footer. Change it in the brand settings.',
  colour: (name: string) => `Colour ${name}`,
}
