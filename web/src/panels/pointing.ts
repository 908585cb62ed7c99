/** What is pointed at, by a mouse or by the focus. */
export function pointing(tell: (on: boolean) => void) {
  const [begin, end] = [() => tell(true), () => tell(false)];
  return { onMouseEnter: begin, onMouseLeave: end, onFocus: begin, onBlur: end };
}
