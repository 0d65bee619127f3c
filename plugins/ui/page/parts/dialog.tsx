/** A modal window: it has the focus until it is closed, and returns it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

export function Dialog({ label, className = "", children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next paint: the next key belongs to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${className}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
