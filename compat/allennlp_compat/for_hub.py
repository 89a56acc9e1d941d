"""What `allennlp push-to-hf` takes from huggingface-hub: calls that its servers no longer know."""


class _Gone:
    def __call__(self, *args, **settings):
        raise RuntimeError(
            "push-to-hf speaks to the model hub as it was in 2022. Upload the folder of the run with "
            "`hf upload NAME FOLDER` instead."
        )

    def get_token(self):
        self()


HfApi = HfFolder = Repository = _Gone()
