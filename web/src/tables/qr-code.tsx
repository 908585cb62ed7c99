/** A link as a QR code. */
import { useMemo } from "preact/hooks";
import qrcode from "qrcode-generator";

export function QrCode({ text, label }: { text: string; label: string }) {
  const [size, path] = useMemo(() => {
    const code = qrcode(0, "M");
    code.addData(text);
    code.make();
    const count = code.getModuleCount();
    let path = "";
    for (let y = 0; y < count; y++) {
      for (let x = 0; x < count; x++) if (code.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`;
    }
    return [count, path];
  }, [text]);
  // Four modules of quiet round it, always dark on light: so the standard wants it.
  return (
    <svg
      class="qr"
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
