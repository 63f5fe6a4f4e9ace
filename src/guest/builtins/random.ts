export function reseed(text: string): void {
  void text;
}
